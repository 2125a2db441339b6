// A row of N four-bars by Pinocchio's articulated-body algorithm with closed loops (lcaba); needs the headers of
// Pinocchio and Eigen.
//
// Uprights 0 to N on pins of the ground at x = 0, 1, ..., N, and bars that connect the tops of neighbours: slender bars of
// 1 m and 1 kg in the plane, gravity along -y. Bar k hangs on upright k - 1 in the tree; its far end is held at the top of
// upright k by a point constraint in space, one of whose three equations is redundant in the plane.

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS

#include <memory>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Map = Eigen::Map<const Vector>;

struct Row {
    pin::Model model;
    std::vector<pin::RigidConstraintModel> joints;
    std::vector<pin::RigidConstraintData> forces;
    std::unique_ptr<pin::Data> data;
    pin::ProximalSettings settings;
    Vector none;

    Row(int count, double accuracy, double mu, int most) : settings(accuracy, mu, most) {
        const pin::SE3 far(Eigen::Matrix3d::Identity(), Eigen::Vector3d(1.0, 0.0, 0.0));
        const pin::Inertia bar(1.0, Eigen::Vector3d(0.5, 0.0, 0.0),
                               pin::Symmetric3(1e-4, 0.0, 1.0 / 12.0, 0.0, 0.0, 1.0 / 12.0));
        std::vector<pin::JointIndex> uprights, tops;
        for (int k = 0; k <= count; k++) {
            pin::SE3 foot(Eigen::Matrix3d::Identity(), Eigen::Vector3d(k, 0.0, 0.0));
            uprights.push_back(model.addJoint(0, pin::JointModelRZ(), foot, "upright" + std::to_string(k)));
            model.appendBodyToJoint(uprights.back(), bar);
        }
        for (int k = 1; k <= count; k++) {
            tops.push_back(model.addJoint(uprights[k - 1], pin::JointModelRZ(), far, "top" + std::to_string(k)));
            model.appendBodyToJoint(tops.back(), bar);
        }
        for (int k = 1; k <= count; k++)
            joints.emplace_back(pin::CONTACT_3D, model, tops[k - 1], far, uprights[k], far, pin::LOCAL);
        for (const auto &joint : joints) forces.emplace_back(joint);
        model.gravity.linear() = Eigen::Vector3d(0.0, -9.81, 0.0);
        data = std::make_unique<pin::Data>(model);
        pin::computeJointMinimalOrdering(model, *data, joints);
        none = Vector::Zero(model.nv);
    }
};

static std::unique_ptr<Row> row;

// Prepares N four-bars with the settings of the proximal iterations; returns the number of joints.
extern "C" int row_make(int count, double accuracy, double mu, int most) {
    row = std::make_unique<Row>(count, accuracy, mu, most);
    return row->model.nv;
}

extern "C" void row_accelerations(const double *q, const double *v, double *a) {
    const int n = row->model.nv;
    Vector::Map(a, n) = pin::lcaba(row->model, *row->data, Map(q, n), Map(v, n), row->none, row->joints, row->forces, row->settings);
}

extern "C" void row_repeat(int times, double *q, double *v, double *a) {
    for (int i = 0; i < times; i++) {
        v[0] += 1e-12 * a[0];
        row_accelerations(q, v, a);
    }
}
